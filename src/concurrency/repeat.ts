// Repeats background work: one round at a time, with a pause after each.

export type Repetition = {
  /** Starts no further round, and waits for the current one. */
  stop(): Promise<void>
}

export type RepeatOptions = {
  readonly everyMs: number
  readonly work: () => Promise<unknown>
  /** Called when a round fails; the next one follows nevertheless. */
  readonly failed: (error: unknown) => void
}

/** Starts the first round at once. */
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
