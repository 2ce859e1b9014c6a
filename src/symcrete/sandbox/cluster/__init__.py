"""Functions explored by the workers of a Dask cluster."""
