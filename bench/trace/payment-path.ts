// Prints the path of a payment through the files: each file once, where the payment first enters it.
import { printTable, type Row } from '../report.ts'
import type { Observed } from './observe-payment.ts'

export function printPath({ files, calls }: Observed): void {
  const unseen = [...calls.keys()].filter((file) => !files.includes(file))
  printTable('The path of a card payment: files by first call, and calls of their functions', [
    ...files.map((file, at): Row => [file, `${calls.get(file)}`, entered(files, at)]),
    ...unseen.map((file): Row => [file, `${calls.get(file)}`, 'its position is not known']),
  ])
  const domains = files.filter((file) => !file.startsWith('src/platform/'))
  printTable('Totals', [
    ['files', String(calls.size)],
    ['changes of folder', String(changes(files)), 'by the second level of src'],
    ['files of domains', String(domains.length), 'without those of src/platform'],
    ['changes of domain', String(changes(domains))],
    ['function calls', String([...calls.values()].reduce((sum, times) => sum + times, 0))],
  ])
}

function changes(files: readonly string[]): number {
  return files.filter((_, at) => at > 0 && entered(files, at) !== '').length
}

/** The folder that the path enters here; empty if it is the folder of the previous file. */
function entered(files: readonly string[], at: number): string {
  const folder = topFolder(files[at] ?? '')
  return at > 0 && folder === topFolder(files[at - 1] ?? '') ? '' : folder
}

/** `src/money/payments` for `src/money/payments/hosted/x.ts`, and `src/gateway` for `src/gateway/app.ts`. */
function topFolder(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 3).join('/')
}
