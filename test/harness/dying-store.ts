// The records of a channel's process that dies.
import type { ChannelStore } from '../../src/rails/contract/store.ts'

/**
 * Returns a store whose process dies at the given call. The database still executes that call; all later calls fail.
 */
export function dyingStore(store: ChannelStore, step: number): ChannelStore {
  let calls = 0
  const living = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    calls += 1
    const result = calls <= step ? await call() : undefined
    if (result === undefined || calls >= step) throw new Error('the process died')
    return result
  }
  return {
    ...store,
    find: async (key) => (await living(async () => [await store.find(key)]))[0],
    listOf: (...args) => living(() => store.listOf(...args)),
    list: (...args) => living(() => store.list(...args)),
    write: (...args) => living(() => store.write(...args)),
  }
}
