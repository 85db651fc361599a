// `npm run mutate -- [--sample 300] [--seed N] [--jobs 1] [--model-minutes 1] [--in FOLDER …] [--only NAME …] [--list]
// [--report FILE]`: changes one place of the source at a time, and shows the changes that no test notices. The report
// is written again after each mutant, so an interrupted run also has a report.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { diffOf } from './mutation.ts'
import { readOptions } from './options.ts'
import { commandOf, lineOf, type Run, summaryOf, written } from './report.ts'
import { allMutations, drawSample } from './sample.ts'
import { openSources, root } from './sources.ts'
import { readImports } from './tests-beside.ts'
import { type Judge, type Trial, tryMutation } from './trial.ts'
import { openWorkshop } from './workshop.ts'

const options = readOptions(process.argv.slice(2))
const say = (line: string) => console.error(line)
const startedAt = Date.now()
const sources = openSources()
const { all, chosen } = choose()
const imports = readImports(sources.paths)
sources.close()
if (options.list) for (const one of chosen) console.log(`${one.name}\n${diffOf(one)}\n`)
else await tryAll()

function choose() {
  const { only, folders, sample, seed } = options
  const all = allMutations(sources, only.length === 0 ? folders : only.map((name) => name.replace(/:.*/, '')))
  const unknown = only.filter((name) => !all.some((one) => one.name === name))
  if (unknown.length > 0) throw new Error(`no such mutation: ${unknown.join(', ')}`)
  const chosen =
    only.length === 0 ? drawSample(all, sample, seed) : all.filter(({ name }) => only.includes(name))
  return { all, chosen }
}

async function tryAll(): Promise<void> {
  const trials: Trial[] = []
  const judge: Judge = {
    imports,
    modelMinutes: options.modelMinutes,
    seed: options.seed,
    passes: new Map(),
    usualMs: new Map(),
    say,
  }
  const waiting = [...chosen]
  const runSoFar = (): Run => {
    const seconds = (Date.now() - startedAt) / 1000
    return { seed: options.seed, places: all.length, sample: chosen.length, trials, seconds }
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(summaryOf(runSoFar()))
      process.exit(130)
    })
  say(`seed ${options.seed}: ${chosen.length} of ${all.length} mutations`)
  const work = async () => {
    const shop = await openWorkshop()
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const trial = await tryMutation(judge, shop, next)
        trials.push(trial)
        say(`${trials.length}/${chosen.length} ${lineOf(trial)}`)
        if (trial.verdict.kind === 'survived') say(commandOf(trial))
        writeFileSync(options.report, written(runSoFar()))
      }
    } finally {
      await shop.close()
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, work))
  console.log(
    `${summaryOf(runSoFar())}\nThe report is in ${relative(root, options.report) || options.report}.`,
  )
  process.exitCode = trials.some(({ verdict }) => verdict.kind === 'survived') ? 1 : 0
}
