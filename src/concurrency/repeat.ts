// Work that comes again and again in the background: one round at a time, the next one a while after the last has ended.

export type Repetition = {
  /** Begins no other round, and waits for the one under way. */
  stop(): Promise<void>
}

export type RepeatOptions = {
  readonly everyMs: number
  readonly work: () => Promise<unknown>
  /** Told of a round that failed; the next one comes all the same. */
  readonly failed: (error: unknown) => void
}

/** The first round begins at once. */
export function repeat({ everyMs, work, failed }: RepeatOptions): Repetition {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let round: Promise<void> = Promise.resolve()

  const again = () => {
    round = work()
      .catch(failed)
      .then(() => {
        if (!stopped) timer = setTimeout(again, everyMs)
      })
  }
  again()

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}
