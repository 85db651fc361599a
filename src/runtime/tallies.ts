// Counts what happens thousands of times a second. The library of our other metrics checks and joins the labels at every
// count, which takes a payment several microseconds. Here a count is an addition, and its text is written when Prometheus
// reads it.
// https://prometheus.io/docs/instrumenting/exposition_formats/

/** What is counted for one set of label values. */
type Tally = { lines(name: string, labels: string): readonly string[] }

type Branch<Kind> = { readonly below: Map<string, Branch<Kind>>; tally: Kind | undefined }

export type Named = {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** A metric with a tally for each set of label values. The values come from our own lists, so their number is bounded. */
export class Family<Kind extends Tally> {
  readonly #named: Named
  readonly #type: string
  readonly #create: () => Kind
  readonly #root: Branch<Kind> = { below: new Map(), tally: undefined }

  constructor(named: Named, type: 'counter' | 'histogram', create: () => Kind) {
    this.#named = named
    this.#type = type
    this.#create = create
    // Without labels there is one tally, which Prometheus sees from the start.
    if (named.labels === undefined) this.at()
  }

  /** The values of the labels in their order. */
  at(...values: readonly string[]): Kind {
    let branch = this.#root
    for (const value of values) {
      let next = branch.below.get(value)
      if (next === undefined) {
        next = { below: new Map(), tally: undefined }
        branch.below.set(value, next)
      }
      branch = next
    }
    branch.tally ??= this.#create()
    return branch.tally
  }

  text(): string {
    const { name, help, labels = [] } = this.#named
    const lines = [...talliesBelow(this.#root)].flatMap(([tally, values]) =>
      tally.lines(name, values.map((value, at) => `${labels[at]}="${escaped(value)}"`).join(',')),
    )
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${this.#type}`, ...lines].join('\n')
  }
}

function* talliesBelow<Kind>(
  { below, tally }: Branch<Kind>,
  values: readonly string[] = [],
): Iterable<readonly [Kind, readonly string[]]> {
  if (tally !== undefined) yield [tally, values]
  for (const [value, branch] of below) yield* talliesBelow(branch, [...values, value])
}

function escaped(value: string): string {
  return value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
}

export class Count {
  #value = 0

  add(): void {
    this.#value++
  }

  lines(name: string, labels: string): readonly string[] {
    return [line(name, labels, this.#value)]
  }
}

export class Spread {
  readonly #bounds: readonly number[]
  /** How many values are in each interval: above the previous bound and not above this one; the last has no bound. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    let at = 0
    while (value > (this.#bounds[at] ?? Number.POSITIVE_INFINITY)) at++
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  lines(name: string, labels: string): readonly string[] {
    const and = labels === '' ? '' : `,${labels}`
    let count = 0
    const buckets = [...this.#bounds, '+Inf'].map((bound, at) => {
      count += this.#counts[at] ?? 0
      return line(`${name}_bucket`, `le="${bound}"${and}`, count)
    })
    return [...buckets, line(`${name}_sum`, labels, this.#sum), line(`${name}_count`, labels, count)]
  }
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}`
}
