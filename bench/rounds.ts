// Short alternating slices: every round begins with another contestant, so that a disturbance of the machine affects
// all of them.

export type Contestant = {
  readonly name: string
  /** Runs one slice and returns its measurements. */
  readonly slice: () => Promise<Slice>
}

export type Slice = {
  readonly rate: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** Processor time per payment, in microseconds. */
  readonly gatewayUs?: number
  readonly postgresUs?: number
  readonly issuerUs?: number
  readonly receiverUs?: number
  readonly loadUs?: number
}

export type Rounds = ReadonlyMap<string, readonly Slice[]>

export async function alternate(contestants: readonly Contestant[], rounds: number): Promise<Rounds> {
  const slices = new Map<string, Slice[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const first = round % contestants.length
    for (const { name, slice } of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      slices.get(name)?.push(await slice())
    }
    process.stderr.write(`round ${round + 1} of ${rounds}\n`)
  }
  return slices
}

/** Runs one uncounted slice of each contestant, which compiles code, opens connections and fills caches. */
export async function warmUp(contestants: readonly Contestant[]): Promise<void> {
  for (const { slice } of contestants) await slice()
}
