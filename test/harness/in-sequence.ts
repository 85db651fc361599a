// Test files that share a process, one after another: to start a process for each takes longer than to run most of them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** What starts processes, or changes what other files of the process see. Stories and browsers take long by themselves. */
const apart =
  /child_process|worker_threads|openInstallation|globalThis|\bmock\b|(?<!-)\bprocess\.(?!pid\b|env\.TOLLGATE_)[a-z]|test\/stories|\.browser\./

/** Neighbours use the same modules. So many that loading those counts little, and so few that all cores stay busy. */
const LARGEST_GROUP = 14

export function sharesProcess(file: string): boolean {
  return !apart.test(file) && !apart.test(readFileSync(file, 'utf8'))
}

/** A program for each group of files, in the folder. Small runs are divided, too: more than one process works at once. */
export function writeGroups(files: readonly string[], folder: string, atATime: number): string[] {
  const size = Math.min(LARGEST_GROUP, Math.ceil(files.length / atATime))
  const groups = Array.from({ length: Math.ceil(files.length / size) }, (_, group) =>
    files.slice(group * size, (group + 1) * size),
  )
  return groups.map((group, index) => {
    const program = join(folder, `group-${index + 1}.mjs`)
    writeFileSync(
      program,
      `import { inSequence } from ${JSON.stringify(import.meta.url)}\ninSequence(${JSON.stringify(group)})\n`,
    )
    return program
  })
}

/** Each is a test with its own hooks, and is loaded once the one before has ended. */
export function inSequence(files: readonly string[]): void {
  for (const file of files) test(file, () => import(pathToFileURL(resolve(file)).href))
}
