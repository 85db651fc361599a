// Runs background work, one round at a time. The next round starts `everyMs` after the end of the last round.

export type Repetition = {
  /** Starts no further round, and waits for the current round. */
  stop(): Promise<void>
}

export type PokedRepetition = Repetition & {
  /** Starts the next round now, or right after the current round. */
  poke(): void
}

/** The interval of a worker. gateway/workers.ts lists the workers with their intervals. */
export type Interval = { readonly everyMs: number }

export type RepeatOptions = Interval & {
  readonly work: () => Promise<unknown>
  /** Reports the error of a round. The rounds continue. */
  readonly failed: (error: unknown) => void
}

export function repeat({ everyMs, work, failed }: RepeatOptions): PokedRepetition {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let poked = false
  let round: Promise<void> | undefined

  function start(): void {
    poked = false
    round = work()
      .catch(failed)
      .then(() => {
        round = undefined
        if (stopped) return
        if (poked) start()
        else timer = setTimeout(start, everyMs)
      })
  }
  start()

  return {
    poke() {
      poked = true
      if (round !== undefined || stopped) return
      clearTimeout(timer)
      start()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}
