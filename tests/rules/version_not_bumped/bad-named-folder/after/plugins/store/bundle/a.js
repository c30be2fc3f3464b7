a longer line
