"""Find antigens: tool calls to which the user objects again and again, with a pattern that recognises such calls.

Only a reaction of the user starts an antigen. Each conversation counts once, even if the user objected several times.
Before a person can adopt an antigen, `replay` tests its pattern on recorded calls.
"""
