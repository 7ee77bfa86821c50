/** What the daemon answers to, below `/api/v1`. Plain data: the typed client carries it into browsers. */
export const ROUTES = {
  health: { method: 'GET', path: '/health', about: 'Which daemon this is, and how it is' },
  shutdown: { method: 'POST', path: '/shutdown', about: 'End the daemon; agents go on' },

  listSessions: { method: 'GET', path: '/sessions', about: 'Managed sessions, newest first' },
  spawn: { method: 'POST', path: '/sessions', about: 'Start a managed session' },
  getSession: { method: 'GET', path: '/sessions/{id}', about: 'One managed session' },
  removeSession: { method: 'DELETE', path: '/sessions/{id}', about: 'Forget a session that has exited' },
  send: { method: 'POST', path: '/sessions/{id}/messages', about: 'Say something to the agent' },
  interrupt: { method: 'POST', path: '/sessions/{id}/interrupt', about: 'Stop the current turn' },
  pause: { method: 'POST', path: '/sessions/{id}/pause', about: 'Hold the agent where it is' },
  resume: { method: 'POST', path: '/sessions/{id}/resume', about: 'Let a paused agent go on' },
  setModel: { method: 'POST', path: '/sessions/{id}/model', about: 'Change the model of a live session' },
  kill: { method: 'POST', path: '/sessions/{id}/kill', about: 'End the agent of a session' },
  planRestore: { method: 'GET', path: '/sessions/{id}/restore', about: 'How the conversation could come back' },
  restore: { method: 'POST', path: '/sessions/{id}/restore', about: 'Bring an exited session back' },
  approvals: { method: 'GET', path: '/sessions/{id}/approvals', about: 'What waits for an answer' },
  answer: { method: 'POST', path: '/sessions/{id}/approvals/{interactionId}', about: 'Approve, deny or answer' },
  activity: { method: 'GET', path: '/sessions/{id}/activity', about: 'The state, and the evidence behind it' },
  screen: { method: 'GET', path: '/sessions/{id}/screen', about: 'What the terminal of a session shows, as text' },
  sessionEvents: { method: 'GET', path: '/sessions/{id}/events', about: 'Events of a session by sequence' },

  listRuns: { method: 'GET', path: '/runs', about: 'Launches of all sessions, newest first' },
  getRun: { method: 'GET', path: '/runs/{id}', about: 'One launch, with its result' },

  listTranscripts: { method: 'GET', path: '/transcripts', about: "The agents' own sessions" },
  searchTranscripts: { method: 'GET', path: '/transcripts/search', about: "Search the agents' own sessions" },
  getTranscript: { method: 'GET', path: '/transcripts/{agent}/{sessionId}', about: 'One of them, whole' },

  listAgents: { method: 'GET', path: '/agents', about: 'The agents, and which are installed' },
  getAgent: { method: 'GET', path: '/agents/{agent}', about: 'What one agent can do' },

  usage: { method: 'GET', path: '/usage', about: 'Tokens and cost of managed sessions' },
  quota: { method: 'GET', path: '/quota', about: 'Limits of the agents that are known, and who is parked' },
  unpark: { method: 'POST', path: '/quota/unpark', about: 'Let launches go on that wait for the end of a limit' },

  listAuth: { method: 'GET', path: '/auth', about: 'Which agents are signed in' },
  getAuth: { method: 'GET', path: '/auth/{agent}', about: 'One of them, and how to sign in' },

  leftovers: { method: 'GET', path: '/leftovers', about: 'What is there and nobody seems to need any more' },
  notifications: { method: 'GET', path: '/notifications', about: 'What asked for attention' },
} as const satisfies Record<string, { method: 'GET' | 'POST' | 'DELETE'; path: string; about: string }>

/** The name of a route of the daemon. */
export type RouteName = keyof typeof ROUTES

/** Answers that are no JSON: change streams, a terminal, this document. */
export const STREAMS = {
  events: { path: '/events', about: 'Every change as server-sent events; resume with Last-Event-ID' },
  terminal: { path: '/sessions/{id}/terminal', about: 'WebSocket: the screen of a terminal session' },
  blob: { path: '/runs/{id}/blobs/{file}', about: 'A value that was too large for its event' },
  openapi: { path: '/openapi.json', about: 'This description' },
} as const

export const API_PREFIX = '/api/v1'
