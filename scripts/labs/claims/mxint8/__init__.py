"""What is asserted about question 3, each part judged on its own record."""
