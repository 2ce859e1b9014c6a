"""The methods and operators of texts, put together into classes."""
