// Reads the files of deploy/ as their programs read them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The documents of a YAML file. Throws for errors and warnings. */
export function readYaml(path: string): unknown[] {
  return parseAllDocuments(read(path)).map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw new Error(`${path}: ${problem.message}`)
    return document.toJS()
  })
}

export function filesIn(pattern: string): string[] {
  return globSync(pattern, { cwd: root }).sort()
}

export type Instruction = { readonly name: string; readonly text: string }

/** Returns the instructions of the Dockerfile, with continued lines joined. */
export function readDockerfile(): Instruction[] {
  const lines = read('deploy/Dockerfile')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...words] = line.split(' ')
      return { name, text: words.join(' ') }
    })
}

/** Returns the names and values of all `ENV` instructions. Only the last stage has some. */
export function imageEnv(): Record<string, string> {
  const pairs = readDockerfile()
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => text.trim().split(/\s+/))
    .map((pair) => pair.split('='))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
}

/** The command that an instruction in JSON form runs. */
export function execForm(name: string): string[] {
  const text = readDockerfile().find((one) => one.name === name)?.text ?? ''
  return JSON.parse(text.slice(text.indexOf('[')))
}

/** The values of a key of the systemd unit, in order. */
export function unitValues(key: string): string[] {
  return [...read('deploy/tollgate.service').matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  )
}
