// The days of Adyen's reports, whose times are local ones with the zone in a column of its own.
import { momentOf } from '../../base/local-day.ts'

/**
 * Hours from UTC of the short names, which say themselves whether it is summer. CST, IST and AST are missing: each is the name of
 * several zones, hours apart.
 */
const offsets: ReadonlyMap<string, number> = new Map([
  ...hours(0, 'UTC', 'GMT', 'WET'),
  ...hours(1, 'CET', 'BST', 'WEST'),
  ...hours(2, 'CEST', 'EET', 'SAST'),
  ...hours(3, 'EEST', 'MSK', 'TRT'),
  ...hours(8, 'SGT', 'HKT', 'MYT', 'AWST'),
  ...hours(9, 'JST', 'KST'),
  ...hours(10, 'AEST'),
  ...hours(11, 'AEDT'),
  ...hours(12, 'NZST'),
  ...hours(13, 'NZDT'),
  ...hours(-3, 'BRT', 'ART'),
  ...hours(-4, 'EDT'),
  ...hours(-5, 'EST', 'CDT'),
  ...hours(-6, 'MDT'),
  ...hours(-7, 'MST', 'PDT'),
  ...hours(-8, 'PST'),
])

function hours(offset: number, ...names: readonly string[]): [string, number][] {
  return names.map((name) => [name, offset])
}

/** In UTC. Undefined if the time or the zone cannot be read. */
export function reportDay(time: string, zone: string): string | undefined {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(time) ?? []
  const local = `${day}T${clock}`
  const asUtc = new Date(`${local}Z`)
  // A day such as 31 February would be one of March.
  if (Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(local)) return undefined
  return momentIn(zone, local, asUtc)?.toISOString().slice(0, 10)
}

function momentIn(zone: string, local: string, asUtc: Date): Date | undefined {
  const offset = offsets.get(zone)
  if (offset !== undefined) return new Date(asUtc.getTime() - offset * 3_600_000)
  // Names of places only: Intl knows some short names, too, and means a place with summer time by them.
  if (!zone.includes('/')) return undefined
  try {
    return momentOf(local, zone)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
