import { OperatorRefusal } from '../errors/catalogue.ts'

/** A time with its zone: one without would be another moment on another machine. Without any it is now. */
export function readTime(text: string | undefined, now: Date): Date {
  if (text === undefined) return now
  const at = new Date(text)
  const isWhole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  if (isWhole && !Number.isNaN(at.getTime())) return at
  throw new OperatorRefusal(
    `${text} is not a time such as 2026-01-31T00:00:00Z, nor a day such as 2026-01-31`,
  )
}
