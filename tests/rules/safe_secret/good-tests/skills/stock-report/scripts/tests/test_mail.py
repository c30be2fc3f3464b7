TOKEN = 'ghp_PyhzAnar3ZLt4bnlz2MPKgcjnCqaXNv1syee'
