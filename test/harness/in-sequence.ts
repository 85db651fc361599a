// Test files that share a process and run one after another: starting a process for each file takes longer than running
// most of them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * The pattern of files that need their own process: they start processes, or change state that other files of the
 * process see. Stories and browser tests also have their own process, because they take long.
 */
const apart =
  /child_process|worker_threads|openInstallation|globalThis|\bmock\b|(?<!-)\bprocess\.(?!pid\b|env\.TOLLGATE_)[a-z]|test\/stories|\.browser\./

/**
 * The largest number of files per process. Neighbouring files use the same modules: the group is large enough that
 * loading them matters little, and small enough that all cores stay busy.
 */
const LARGEST_GROUP = 14
/** The largest number of long files per process, so that no process runs on alone for minutes at the end. */
const LARGEST_LONG_GROUP = 4

export function sharesProcess(file: string): boolean {
  return !apart.test(file) && !apart.test(readFileSync(file, 'utf8'))
}

/**
 * Writes a program for each group of files into the folder. Small runs are divided, too, so that several processes work
 * at once.
 */
export function writeGroups(files: readonly string[], folder: string, atATime: number): string[] {
  const largest = files.some((file) => file.endsWith('.long.test.ts')) ? LARGEST_LONG_GROUP : LARGEST_GROUP
  const size = Math.min(largest, Math.ceil(files.length / atATime))
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

/**
 * Runs the files in sequence. Each file is a test with its own hooks, and is loaded once the previous one has ended.
 */
export function inSequence(files: readonly string[]): void {
  for (const file of files) test(file, () => import(pathToFileURL(resolve(file)).href))
}
