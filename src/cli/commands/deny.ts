import { decisionCommand } from '../daemon/decide.ts'

export const command = decisionCommand('deny', 'Refuses what the agent has asked for: the oldest request first.', [
  'amux deny k3v9 --reason "Not on this branch"',
])
