assert 1
