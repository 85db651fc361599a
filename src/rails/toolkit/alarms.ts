// What an operator must look at, told once. An alarm is raised before that is recorded: a process that dies in between raises
// it a second time, and never not at all. Here for what has no record of its own. A channel that records what the alarm is about,
// such as an entry of a statement, raises it before that.
import type { ChannelTools } from './settings.ts'
import type { ChannelStore } from './store.ts'

/** Tells an operator about what is recorded next. */
export type Tell = (what: string) => void

export type Alarms = {
  /** `key` names what it is about, within the channel. */
  raise(key: string, alarm: { readonly reference: string; readonly what: string }): Promise<void>
}

/** Of the channel of this name. Its store is opened when an alarm is raised: most channels of a bridge need none. */
export function alarmsOf(name: string, tools: Pick<ChannelTools, 'alarm' | 'storeOf'>): Alarms {
  return { raise: (key, alarm) => openAlarms(tools.storeOf(name), tools).raise(key, alarm) }
}

const RAISED = 'alarm'

export function openAlarms(
  store: Pick<ChannelStore, 'find' | 'write'>,
  { alarm }: Pick<ChannelTools, 'alarm'>,
): Alarms {
  return {
    async raise(key, { reference, what }) {
      const raised = { kind: RAISED, key }
      if ((await store.find(raised)) !== undefined) return
      alarm(reference, what)
      await store.write([{ add: { ...raised, body: { reference, what } } }])
    },
  }
}
