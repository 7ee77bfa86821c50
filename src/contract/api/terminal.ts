import type { TerminalSize } from '../launch.ts'

/** What a viewer of a terminal gets, as JSON text over a WebSocket. The first one is always the snapshot. */
export type TerminalMessage =
  /** Text that brings an empty terminal of this size to the state of the agent's. */
  | ({ type: 'snapshot'; data: string } & TerminalSize)
  | { type: 'output'; data: string }
  | ({ type: 'resized' } & TerminalSize)
  | { type: 'ended' }

/** What a viewer sends. */
export type TerminalInput = { type: 'input'; data: string } | ({ type: 'resize' } & TerminalSize)

/** The protocol of the WebSocket, and how a browser hands over the token, for which it can set no header. */
export const TERMINAL_PROTOCOL = 'amux.terminal'
export const TOKEN_PROTOCOL = 'amux.bearer.'
