/** Settings of the project may run hooks: nothing but the user's own is read for a question. */
export const INQUIRY_ARGS = [
  '-p',
  '--verbose',
  '--setting-sources=user',
  '--no-session-persistence',
  '--strict-mcp-config',
]
