/**
 * For authors of adapters: the contract every adapter has to keep, recordings, and a fake CLI that misbehaves.
 * @module
 */

export type { ContractCase, ContractRequest } from './adapter-contract.ts'
export { adapterContract } from './adapter-contract.ts'
export type { FakeCliRequest, Faults } from './fake-cli.ts'
export { createFakeCli } from './fake-cli.ts'
export type { Recording } from './recording.ts'
export { readRecording, replayRecording } from './recording.ts'
