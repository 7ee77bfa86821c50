import { NO_MODEL, type Subject } from '../kit/subject.ts'

export const subject: Subject = { ...NO_MODEL, account: { speaksAcp: true } }
