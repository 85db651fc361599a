// The runnable programs in examples/LANGUAGE/TASK.*. Each task is shown as one group of tabs. Each tab has a program,
// the files that it imports, and the commands that run it. Without script, the languages are shown one below the other.
import { readdirSync, readFileSync } from 'node:fs'
import { type Html, html } from '../../platform/pages/page.ts'
import type { Values } from './article.ts'
import { codeBlock } from './highlight.ts'
import { exportLines } from './values.ts'

type Language = {
  readonly folder: string
  readonly name: string
  readonly grammar: string
  /**
   * Finds the names of the files that a sample imports from its own folder. The first group is the name without its
   * ending.
   */
  readonly imports?: RegExp
  /** The files that every sample in this language needs. */
  readonly always?: readonly string[]
  /** Returns the command that runs a sample. */
  run(file: string, options: string): string
}

/** The languages in the order of the tabs. */
export const languages: readonly Language[] = [
  {
    folder: 'curl',
    name: 'curl',
    grammar: 'bash',
    imports: /\/([\w-]+)\.sh"/g,
    run: (file, options) => `bash ${file}${isReceiver(file) ? ' BODY_FILE HEADERS_FILE' : options}`,
  },
  {
    folder: 'typescript',
    name: 'TypeScript',
    grammar: 'typescript',
    imports: /'\.\/([\w-]+)\.ts'/g,
    always: ['package.json'],
    run: (file, options) => `node ${file}${options}`,
  },
  {
    folder: 'php',
    name: 'PHP',
    grammar: 'php',
    imports: /'\/([\w-]+)\.php'/g,
    run: (file, options) => (isReceiver(file) ? `php -S 127.0.0.1:${PORT} ${file}` : `php ${file}${options}`),
  },
  {
    folder: 'python',
    name: 'Python',
    grammar: 'python',
    imports: /^from (\w+) import/gm,
    run: (file, options) => `python3 ${file}${options}`,
  },
  {
    folder: 'java',
    name: 'Java',
    grammar: 'java',
    imports: /\b([A-Z]\w*)\./g,
    run: (file, options) => `javac *.java\njava ${file.replace('.java', options)}`,
  },
  {
    folder: 'go',
    name: 'Go',
    grammar: 'go',
    always: ['go.mod', 'main.go', 'tollgate.go', 'sign.go'],
    run: (file, options) => `go run . ${file.replace('.go', options)}`,
  },
]

const PORT = '8000'
/** The name of the SDK among the downloads. */
export const SDK_FILE = 'tollgate-sdk-0.1.0.tgz'

/** The command-line arguments of each sample. */
const options: Readonly<Record<string, string>> = {
  query: ' ORDER',
  refund: ' ORDER TRADENO AMOUNT',
  verifynotification: ` ${PORT}`,
}

function isReceiver(file: string): boolean {
  return nameOf(file) === 'verifynotification'
}

export type Sample = {
  readonly name: string
  readonly grammar: string
  readonly code: string
  /** The path of the folder in the repository, which is also its path below /docs/. */
  readonly folder: string
  readonly file: string
  /** The other files in the folder that the sample needs, each with its code. */
  readonly helpers: ReadonlyMap<string, string>
  readonly run: string
}

export function samplesOf(folder: URL, task: string): Sample[] {
  return languages.flatMap((language) => {
    const place = new URL(`${language.folder}/`, folder)
    const files = filesIn(place)
    const file = files.find((one) => nameOf(one) === nameOf(`${task}.`))
    if (file === undefined) return []
    const read = (name: string) => readFileSync(new URL(name, place), 'utf8')
    const { name, grammar } = language
    const helpers = helpersOf(language, { file, files, read })
    const run = language.run(file, options[nameOf(file)] ?? '')
    return [{ name, grammar, code: read(file), folder: `examples/${language.folder}`, file, helpers, run }]
  })
}

type Folder = {
  readonly file: string
  readonly files: readonly string[]
  readonly read: (name: string) => string
}

/** Returns the files that a sample needs, and in turn the files that these files need. */
function helpersOf({ imports, always = [] }: Language, { file, files, read }: Folder): Map<string, string> {
  const needed = new Map<string, string>()
  const add = (name: string) => {
    if (!files.includes(name) || needed.has(name)) return
    needed.set(name, read(name))
    if (imports === undefined) return
    const ending = file.slice(file.lastIndexOf('.'))
    for (const [, stem = ''] of (needed.get(name) ?? '').matchAll(imports)) add(`${stem}${ending}`)
  }
  for (const name of [file, ...always]) add(name)
  needed.delete(file)
  return needed
}

/**
 * Returns the name of a file in lower case, without its ending, hyphens and underscores. PayOut.java and pay_out.py
 * both give `payout`.
 */
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

/** The paths of the code that a page has already shown, so that the page shows each helper only once. */
export type ShownCode = Set<string>

export function samplesBlock(
  samples: readonly Sample[],
  values: Values,
  { shown, root }: { readonly shown: ShownCode; readonly root: string },
): Html {
  const isFirst = shown.size === 0
  const tabs = samples.map((sample) => {
    const { name, grammar, code, folder, file } = sample
    shown.add(`${folder}/${file}`)
    return html`<section class="tab" aria-label="${name}"><p class="tab-name">${name}</p>
${codeBlock(code, grammar)}${howToRun(sample, values, root)}${helperBlocks(sample, shown)}</section>
`
  })
  return html`${values.sandbox && environment(values, isFirst)}<div class="tabs">
${tabs}</div>
`
}

/** Names the files that the sample needs, and gives the commands that fetch them and run the sample. */
function howToRun(
  { name, code, folder, file, helpers, run }: Sample,
  { baseUrl }: Values,
  root: string,
): Html {
  const link = (path: string, text: string) => html`<a href="${root}docs/${path}">${text}</a>`
  const names = [...helpers.keys()]
  const linked = names.map((one, at) => {
    const before = at === 0 ? '' : at === names.length - 1 ? ' and ' : ', '
    return html`${before}${link(`${folder}/${one}`, one)}`
  })
  const fetched = names.map((one) => `curl -fsSO ${baseUrl}/docs/${folder}/${one}\n`)
  const isWithSdk = [code, ...helpers.values()].some((text) => text.includes("from '@tollgate/sdk'"))
  const installed = isWithSdk ? `npm install --silent ${baseUrl}/downloads/${SDK_FILE}\n` : ''
  return html`<p>Save this as ${link(`${folder}/${file}`, file)}${
    names.length > 0 && html`. It needs ${linked} in the same folder`
  }. ${link(folder, `All files in ${name}`)}</p>
${codeBlock(fetched.join('') + installed + run, 'bash')}`
}

function helperBlocks({ grammar, folder, helpers }: Sample, shown: ShownCode): Html[] {
  const fresh = [...helpers].filter(([file]) => !shown.has(`${folder}/${file}`))
  return fresh.map(([file, code]) => {
    shown.add(`${folder}/${file}`)
    return html`<details class="environment"><summary>${file}</summary>
${codeBlock(code, file.endsWith('.json') ? 'json' : grammar)}</details>
`
  })
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
