"""Trials of triggering: does the skill fire when it should, and stay quiet when it should not?"""
