import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Given } from './command.ts'

export const reasonOption = { value: 'TEXT', required: true, help: 'why; it stays in the audit log' } as const

const MOST = 500

export function readReason(given: Given): string {
  const reason = (given.text('reason') ?? '').trim()
  const length = [...reason].length
  if (length >= 1 && length <= MOST && !/\p{Cc}|\p{Cs}/u.test(reason)) return reason
  throw new OperatorRefusal(`--reason must have 1 to ${MOST} characters and no control characters`)
}
