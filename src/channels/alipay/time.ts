// Alipay's times have no zone. They are Beijing time, UTC+8 all year.
const AHEAD_MS = 8 * 3_600_000

export function toAlipayTime(at: Date): string {
  return new Date(at.getTime() + AHEAD_MS).toISOString().slice(0, 19).replace('T', ' ')
}

/** Undefined when it is malformed. */
export function fromAlipayTime(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined
  const at = new Date(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
