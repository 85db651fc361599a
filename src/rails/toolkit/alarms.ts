// Alarms of channels. Each alarm calls an operator once about a subject. An alarm is raised first and recorded
// afterwards: after a crash between the two steps, the alarm is raised twice, and never lost. This file is for subjects
// without a record of their own. If the channel records the subject itself, such as an entry of a statement, the
// channel raises the alarm before it writes that record.
// See docs/decisions/0341-alarms-of-channels.md.
import type { ChannelTools } from '../contract/settings.ts'
import type { ChannelStore } from '../contract/store.ts'

/** Raises an alarm. The caller records the subject of the alarm afterwards. */
export type Tell = (what: string) => void

export type Alarms = {
  /** Raises the alarm, unless an alarm with this key was raised. `key` names the subject within the channel. */
  raise(key: string, alarm: { readonly reference: string; readonly what: string }): Promise<void>
}

/**
 * Returns the alarms of the channel with this name. The channel's store is opened only when an alarm is raised, because
 * most channels of a bridge need no store.
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
