// Background work in rounds: one round at a time, and the next one a while after the last has ended.

export type Repetition = {
  /** Starts no other round, and waits for the one that runs. */
  stop(): Promise<void>
}

export type PokedRepetition = Repetition & {
  /** Starts the next round now; while a round runs, the next one follows it immediately. */
  poke(): void
}

export type RepeatOptions = {
  readonly everyMs: number
  readonly work: () => Promise<unknown>
  /** Called with the error of a failed round. The rounds continue. */
  readonly failed: (error: unknown) => void
}

/** The first round starts immediately. */
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
