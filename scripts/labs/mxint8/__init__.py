"""Lab 4, question 3: the number format MXINT8, its decoding, its memory and its linear layers."""
