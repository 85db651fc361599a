// A process that dies before or after each write to its records in turn: the next one has nothing but the records.
import type { ChannelStore } from '../src/channels/store.ts'

export type Through = (store: ChannelStore) => ChannelStore

const MOST_WRITES = 20

/** `live` uses stores that die ever later, until they do not, and then checks what was left behind. Returns the deaths. */
export async function dieEverywhere(
  live: (through: Through, name: string) => Promise<void>,
): Promise<number> {
  let deaths = 0
  for (const when of ['before', 'after'])
    for (let nth = 1; nth < MOST_WRITES; nth++) {
      let writes = 0
      let isDead = false
      const die = () => {
        isDead = true
        throw new Error('the process died')
      }
      const through: Through = (store) => ({
        ...store,
        async write(changes, ask) {
          writes += 1
          if (isDead || (writes === nth && when === 'before')) return die()
          const changed = await store.write(changes, ask)
          return writes === nth ? die() : changed
        },
      })
      await live(through, `${when} write ${nth}`)
      if (!isDead) break
      deaths += 1
    }
  return deaths
}

/** What the dying process would have returned is not known to anybody. */
export async function perhaps(work: Promise<unknown> | undefined): Promise<void> {
  await work?.catch(() => {})
}
