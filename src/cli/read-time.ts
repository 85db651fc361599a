import { OperatorRefusal } from '../errors/catalogue.ts'

/** Requires a time zone: without one, the same text would mean another moment on another machine. No text means now. */
export function readTime(text: string | undefined, now: Date): Date {
  if (text === undefined) return now
  const at = new Date(text)
  const isWhole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  if (isWhole && !Number.isNaN(at.getTime())) return at
  throw new OperatorRefusal(`${text} is not a time: write 2026-01-31T00:00:00Z, or a day as 2026-01-31`)
}
