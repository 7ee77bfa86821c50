import { describe, expect, test } from 'vitest'
import { freeName, slugOf } from './session-name.ts'

describe('the name of a session', () => {
  test.each([
    ['Fix the flaky test', 'fix-the-flaky-test'],
    ['  Don’t panic: über-Größe (#42)!', 'dont-panic-uber-gro-e-42'],
    ['Review the last commit and tell me what is wrong with it', 'review-the-last-commit-and-tell'],
    ['x'.repeat(80), 'x'.repeat(32)],
    ['a'.repeat(30), 'a'.repeat(30)],
    ['修复测试', ''],
    ['', ''],
  ])('%j is %j', (title, name) => {
    expect(slugOf(title)).toBe(name)
  })

  test('one that is taken gets a number', () => {
    const taken = new Set(['fix', 'fix-2'])
    expect(freeName('fix', (name) => taken.has(name))).toBe('fix-3')
    expect(freeName('other', (name) => taken.has(name))).toBe('other')
  })
})
