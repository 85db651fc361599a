// Alarms of channels. An operator gets one alarm about each subject. An alarm is raised first and recorded afterwards.
// So after a crash in between, the alarm is raised twice, but it is never lost. If the channel stores the subject
// itself, such as an entry of a statement, the channel raises the alarm before it stores the subject, and needs no
// record here.
// See docs/decisions/0341-alarms-of-channels.md.
import type { ChannelTools } from '../contract/settings.ts'
import type { ChannelStore } from '../contract/store.ts'

/** Raises an alarm. The caller records the subject afterwards. */
export type Tell = (what: string) => void

export type Alarms = {
  /** Raises the alarm, unless an alarm with this key was raised before. `key` names the subject within the channel. */
  raise(key: string, alarm: { readonly reference: string; readonly what: string }): Promise<void>
}

/**
 * Returns a channel's alarms. The channel's store is opened only when an alarm is raised, because most bridge channels
 * never need the store.
 */
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
