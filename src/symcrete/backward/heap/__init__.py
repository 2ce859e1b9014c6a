"""What a statement can change between two reads: kinds of objects, and who may write them."""
