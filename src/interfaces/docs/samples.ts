// The runnable programs in examples/LANGUAGE/TASK.*, shown as one group of tabs per task. Without script the languages
// are shown one below the other.
import { readdirSync, readFileSync } from 'node:fs'
import { type Html, html } from '../../platform/pages/page.ts'
import type { Values } from './article.ts'
import { codeBlock } from './highlight.ts'
import { exportLines } from './values.ts'

/** The languages in the order of the tabs. The grammar is the one that highlights the code. */
export const languages: readonly (readonly [folder: string, name: string, grammar: string])[] = [
  ['curl', 'curl', 'bash'],
  ['typescript', 'TypeScript', 'typescript'],
  ['php', 'PHP', 'php'],
  ['python', 'Python', 'python'],
  ['java', 'Java', 'java'],
  ['go', 'Go', 'go'],
]

export type Sample = {
  readonly name: string
  readonly grammar: string
  readonly code: string
  /** The path of the folder in the repository, which is also its path below /docs/. */
  readonly folder: string
  readonly file: string
}

export function samplesOf(folder: URL, task: string): Sample[] {
  return languages.flatMap(([language, name, grammar]) => {
    const place = new URL(`${language}/`, folder)
    const file = filesIn(place).find((one) => nameOf(one) === nameOf(`${task}.`))
    if (file === undefined) return []
    const code = readFileSync(new URL(file, place), 'utf8')
    return [{ name, grammar, code, folder: `examples/${language}`, file }]
  })
}

/** Returns the name in lower case, without ending, hyphens and underscores: `payout` for PayOut.java and pay_out.py. */
function nameOf(file: string): string {
  return file
    .replace(/\.[^.]*$/, '')
    .replace(/[-_]/g, '')
    .toLowerCase()
}

function filesIn(folder: URL): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // this language has no samples
  }
}

export function samplesBlock(
  samples: readonly Sample[],
  values: Values,
  { isFirst, root }: { readonly isFirst: boolean; readonly root: string },
): Html {
  const tabs = samples.map(
    ({
      name,
      grammar,
      code,
      folder,
      file,
    }) => html`<section class="tab" aria-label="${name}"><p class="tab-name">${name}</p>
${codeBlock(code, grammar)}<p class="soft"><a href="${root}docs/${folder}/${file}">${file}</a>, <a href="${root}docs/${folder}">all files in ${name}</a></p>
</section>
`,
  )
  return html`${values.sandbox && environment(values, isFirst)}<div class="tabs">
${tabs}</div>
`
}

function environment(values: Values, isFirst: boolean): Html {
  return html`<details class="environment"${isFirst && html` open`}><summary>Set the demo merchant's numbers first</summary>
${codeBlock(exportLines(values), 'bash')}${
  values.key === undefined &&
  html`<p>The key is in <code>demo.json</code> in the data folder of the gateway. Pages show it only on the gateway's own machine.</p>
`
}</details>
`
}
