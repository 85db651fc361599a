// What an operator must know of a channel's background work, which is thrown at the end of a round, so that it is in the log.
//
// Invariant: an alarm is recorded in the same write as what it is about, and removed in a later round of the process that threw
// it: the error of a round is logged before the next one begins. So it is told at least once, wherever a process dies.
import { randomUUID } from 'node:crypto'
import type { ChannelStore, RecordBody, RecordChange } from './store.ts'

const ALARM = 'alarm'
const MOST_AT_ONCE = 100

/** Makes the record of an alarm, with what it is about. */
export type Note = (alarm: string) => RecordChange

export function toAlarm(body: RecordBody): RecordChange {
  return { add: { kind: ALARM, key: randomUUID(), body } }
}

/** Returns at the end of each round what is to be thrown. */
export function createTeller(store: ChannelStore): () => Promise<readonly RecordBody[]> {
  let told: readonly RecordChange[] = []
  return async () => {
    if (told.length > 0) await store.write(told)
    const alarms = await store.list(ALARM, { limit: MOST_AT_ONCE })
    told = alarms.map(({ kind, key }) => ({ remove: { kind, key } }))
    return alarms.map(({ body }) => body)
  }
}
