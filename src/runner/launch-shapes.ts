import type { LaunchRecord, LaunchResult, LaunchSpec, ProcessMark, RunnerInfo } from '../contract/launch.ts'
import { isRecord } from '../core/json.ts'
import { isPid } from '../process/signal.ts'
import { NO_PROCESS } from './find-runner.ts'

// What our own files must look like. They were written by us, but a disk, a crash or somebody else may have been at them.

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number => Number.isFinite(value)

function isMark(value: unknown): value is ProcessMark {
  if (!isRecord(value) || !isText(value.startTime) || !isText(value.bootId)) return false
  return isPid(value.pid) || (value.pid === NO_PROCESS.pid && value.bootId === NO_PROCESS.bootId)
}

export function isSpec(value: unknown): value is LaunchSpec {
  if (!isRecord(value) || value.format !== 1) return false
  const { launchId, sessionId, launch, agent, createdAt, mode, options, hidden } = value
  const isNamed = [launchId, sessionId, agent].every(isText) && isCount(launch) && isCount(createdAt)
  const isWhole = isRecord(options) && (isText(options.prompt) || Array.isArray(options.prompt))
  return isNamed && isWhole && (mode === 'headless' || mode === 'terminal') && isNames(hidden)
}

function isNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isText))
}

export function isInfo(value: unknown): value is RunnerInfo {
  if (!isRecord(value) || value.format !== 1 || !isText(value.launchId)) return false
  return isMark(value.runner) && (value.agent === null || isMark(value.agent)) && isText(value.socket)
}

export function isResult(value: unknown): value is LaunchResult {
  if (!isRecord(value) || value.format !== 1 || !isText(value.launchId)) return false
  const { endedAt, how, result, exit, error, records } = value
  if (!isCount(endedAt) || !isCount(records) || !['ended', 'refused', 'lost'].includes(String(how))) return false
  const isRun = result === null || (isRecord(result) && isRecord(result.outcome) && isText(result.outcome.kind))
  const isError = error === null || (isRecord(error) && isText(error.code) && isText(error.message))
  return isRun && isError && (exit === null || isRecord(exit))
}

export function isLaunchRecord(value: unknown): value is LaunchRecord {
  if (!isRecord(value) || !Number.isInteger(value.n)) return false
  if (isRecord(value.event)) return isText(value.event.type) && isCount(value.frame)
  if (isRecord(value.quota)) return isText(value.quota.agent) && isCount(value.quota.measuredAt)
  return isRecord(value.fact) && isText(value.fact.state) && isCount(value.fact.launch)
}
