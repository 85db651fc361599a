// A copy of a few rows in memory, for paths that must not query the database. The copy is read again when a change is
// announced, and periodically in case an announcement was lost. If reading fails, the old copy stays in use.
import type { Db } from './db.ts'

export type LiveCopy<Copy> = {
  current(): Copy
  close(): void
}

export type LiveCopyOptions<Copy> = {
  readonly db: Db
  /** The channel on which changes are announced. */
  readonly channel: string
  readonly everyMs: number
  read(): Promise<Copy>
  failed(err: unknown): void
}

export async function openLiveCopy<Copy>(options: LiveCopyOptions<Copy>): Promise<LiveCopy<Copy>> {
  const { db, channel, everyMs, read, failed } = options
  let current = await read()
  let reading = false
  let again = false

  async function refresh(): Promise<void> {
    // A read may miss a change that is announced during the read. Therefore the copy is then read again, even if the
    // read failed.
    again = true
    if (reading) return
    reading = true
    while (again) {
      again = false
      try {
        current = await read()
      } catch (err) {
        failed(err)
      }
    }
    reading = false
  }

  await db.listen(channel, refresh)
  // Changes may have been made before the listener was connected.
  await refresh()
  const timer = setInterval(refresh, everyMs)
  timer.unref()
  return { current: () => current, close: () => clearInterval(timer) }
}
