// Checks the start of days around every clock change of ten years. Of time zones with equal changes, one is tested.
// Intl gives the expected results.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, localDay, localTime, startOfDay } from './local-day.ts'

const FROM = Date.UTC(2020, 0, 1)
const UNTIL = Date.UTC(2030, 0, 1)
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
// The step of the search for clock changes. No zone changes its clocks twice within this time.
const STEP_MS = 10 * 24 * HOUR_MS

function offsetAt(atMs: number, zone: string): number {
  return Date.parse(`${localTime(new Date(atMs), zone)}Z`) - atMs
}

type Change = { readonly atMs: number; readonly by: number }

/** The clock changes of a zone. A change is the first second with a new offset. */
function changesOf(zone: string): Change[] {
  const changes: Change[] = []
  let after = offsetAt(FROM, zone)
  for (let fromMs = FROM; fromMs < UNTIL; fromMs += STEP_MS) {
    const before = after
    after = offsetAt(fromMs + STEP_MS, zone)
    if (before === after) continue
    let [low, high] = [fromMs / 1000, (fromMs + STEP_MS) / 1000]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle * 1000, zone) === before) low = middle
      else high = middle
    }
    changes.push({ atMs: high * 1000, by: after - before })
  }
  return changes
}

/** The first moment of the local day, found by trying the times around the change. */
function firstShown(day: string, zone: string, { atMs }: Change): number {
  const beginMs = Math.min(Date.parse(`${day}T00:00:00Z`) - 15 * HOUR_MS, atMs - HOUR_MS)
  const shows = (ms: number) => localTime(new Date(ms), zone).slice(0, 10) === day
  let ms = beginMs
  while (!shows(ms)) ms += 15 * MINUTE_MS
  while (shows(ms - MINUTE_MS)) ms -= MINUTE_MS
  return ms
}

// Many zones differ only in name and history, so one zone of each kind is tested.
const zones = new Map<string, { readonly zone: string; readonly changes: readonly Change[] }>()
for (const zone of Intl.supportedValuesOf('timeZone')) {
  const changes = changesOf(zone)
  if (changes.length > 0) zones.set(JSON.stringify([offsetAt(FROM, zone), changes]), { zone, changes })
}

test('the zones include some that skip and some that repeat midnight', () => {
  const changes = [...zones.values()].flatMap((one) => one.changes.map((change) => ({ ...one, change })))
  const atMidnight = changes.filter(({ zone, change: { atMs, by } }) => {
    const [before, after] = [atMs + offsetAt(atMs - 1000, zone), atMs + offsetAt(atMs, zone)]
    return by > 0 ? before % (24 * HOUR_MS) === 0 : after % (24 * HOUR_MS) === 0
  })
  assert.ok(zones.size > 50 && changes.length > 500, `${zones.size} zones, ${changes.length} changes`)
  assert.ok(atMidnight.some(({ change }) => change.by > 0) && atMidnight.some(({ change }) => change.by < 0))
})

for (const { zone, changes } of zones.values()) {
  test(`a day in ${zone} begins when its clocks first show it`, () => {
    for (const change of changes) {
      const day = localTime(new Date(change.atMs), zone).slice(0, 10)
      for (const one of [addDays(day, -1), day, addDays(day, 1)]) {
        const shown = firstShown(one, zone, change)
        assert.equal(startOfDay(one, zone).toISOString(), new Date(shown).toISOString(), `${one} ${zone}`)
      }
      for (const by of [-3 * HOUR_MS, -HOUR_MS, -1, 0, 1, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS]) {
        const at = new Date(change.atMs + by)
        assert.equal(localDay(at, zone), localTime(at, zone).slice(0, 10), at.toISOString())
      }
    }
  })
}
