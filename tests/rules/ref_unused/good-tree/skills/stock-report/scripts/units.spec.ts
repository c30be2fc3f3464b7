it()
