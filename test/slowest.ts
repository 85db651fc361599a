// A reporter of node's test runner: the test files that took longest, so that it shows when one grows.
import type { TestEvent } from 'node:test/reporters'
import { relative } from 'node:path'

const MOST = 20

export async function* slowest(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { readonly file: string; readonly ms: number }[] = []
  for await (const event of source)
    if (event.type === 'test:summary' && event.data.file !== undefined)
      files.push({ file: relative(process.cwd(), event.data.file), ms: event.data.duration_ms })
  files.sort((one, other) => other.ms - one.ms)
  yield '\nThe slowest test files, in seconds:\n'
  for (const { file, ms } of files.slice(0, MOST)) yield `  ${(ms / 1000).toFixed(1).padStart(6)}  ${file}\n`
}
