// A process that dies before or after each write to its records in turn. The next process has only the records.
import type { ChannelStore } from '../../src/rails/contract/store.ts'

export type Through = (store: ChannelStore) => ChannelStore

const MOST_WRITES = 20

/**
 * Runs `live` with stores that die before the first write, before the second one and so on, then after each write,
 * until a store survives. `live` checks the records that a dead process left. Returns the number of deaths.
 */
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

/** Waits for the work and ignores its failure, because the process may have died. */
export async function perhaps(work: Promise<unknown> | undefined): Promise<void> {
  await work?.catch(() => {})
}
