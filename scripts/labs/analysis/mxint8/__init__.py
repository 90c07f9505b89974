"""What the records of question 3 say: formulas, linear layers, memory and partition."""
