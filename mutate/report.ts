// The report of a run, as Markdown: figures, survivors with their commands, equivalent mutants and killed mutants.
import { diffOf } from './mutation.ts'
import type { Trial, Verdict } from './trial.ts'

export type Run = {
  readonly seed: number
  readonly places: number
  readonly sample: number
  readonly trials: readonly Trial[]
  readonly seconds: number
}

type Of<Kind extends Verdict['kind']> = Trial & { readonly verdict: Verdict & { readonly kind: Kind } }

export function written(run: Run): string {
  const { killed, survived, equivalent } = byVerdict(run.trials)
  return [
    `# ${summaryOf(run)}`,
    `## By kind\n\n${figuresBy(run.trials, ({ mutation }) => mutation.kind)}`,
    `## By folder\n\n${figuresBy(run.trials, ({ mutation }) => mutation.file.split('/').slice(0, 3).join('/'))}`,
    section('Survived', survived.map(survivorText)),
    section(
      'Equivalent',
      equivalent.map(({ mutation, verdict }) => `- \`${mutation.name}\`: ${verdict.reason}`),
    ),
    section(
      'Killed',
      killed.map(({ mutation, verdict }) => `- \`${mutation.name}\` by ${verdict.by}: ${verdict.why}`),
    ),
  ].join('\n\n')
}

export function summaryOf({ seed, places, sample, trials, seconds }: Run): string {
  const { killed, survived, equivalent } = byVerdict(trials)
  const judged = killed.length + survived.length
  const share = judged === 0 ? 0 : Math.round((100 * killed.length) / judged)
  const counts = `${killed.length} killed, ${survived.length} survived, ${equivalent.length} equivalent`
  return `Seed ${seed}: ${trials.length} of ${sample} mutants (of ${places}) in ${Math.round(seconds / 60)} min: ${counts}; ${share} % killed`
}

export function commandOf({ mutation }: Trial): string {
  return `npm run mutate -- --only ${mutation.name}`
}

/** The progress line for one mutant. */
export function lineOf({ mutation, verdict, ms }: Trial): string {
  const after = `${(ms / 1000).toFixed(1)} s`
  if (verdict.kind === 'killed')
    return `killed      ${mutation.name} by ${verdict.by} (${after}): ${verdict.why}`
  if (verdict.kind === 'equivalent') return `equivalent  ${mutation.name}: ${verdict.reason}`
  return `SURVIVED    ${mutation.name} (${after})\n${diffOf(mutation)}`
}

function byVerdict(trials: readonly Trial[]) {
  const of = <Kind extends Verdict['kind']>(kind: Kind) =>
    trials.filter((trial): trial is Of<Kind> => trial.verdict.kind === kind)
  return { killed: of('killed'), survived: of('survived'), equivalent: of('equivalent') }
}

function section(title: string, parts: readonly string[]): string {
  return `## ${title}: ${parts.length}\n\n${parts.join('\n')}`
}

function survivorText(trial: Of<'survived'>): string {
  const { mutation, verdict } = trial
  const model = verdict.hasModel ? 'the model' : 'no model'
  const passed = [...verdict.tests, model].join(', ')
  return [
    `### ${mutation.name}\n`,
    '```diff',
    diffOf(mutation),
    '```',
    `\n${passed}`,
    `\n    ${commandOf(trial)}\n`,
  ].join('\n')
}

function figuresBy(trials: readonly Trial[], keyOf: (trial: Trial) => string): string {
  const groups = Map.groupBy(trials, keyOf)
  const rows = [...groups].sort().map(([key, group]) => {
    const { killed, survived, equivalent } = byVerdict(group)
    return `| ${key} | ${killed.length} | ${survived.length} | ${equivalent.length} |`
  })
  return ['| | Killed | Survived | Equivalent |', '|---|---|---|---|', ...rows].join('\n')
}
