// The source files, as the tests of the style guide read them, and the groups and folders of src/.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The seven groups of src/ and their folders. A group may use the groups above it. Within a group, the folders of a
 * line may use those of the lines above, but not those of their own line or of the lines below.
 */
export const groups: Readonly<Record<string, readonly (readonly string[])[]>> = {
  platform: [
    ['errors'],
    ['base'],
    ['postgres'],
    ['concurrency'],
    ['http'],
    ['reference'],
    ['pages', 'audit-log', 'request-log'],
    ['mail'],
    ['config'],
    ['runtime'],
  ],
  rails: [
    ['methods'],
    ['contract'],
    ['toolkit'],
    ['routing'],
    ['protocols'],
    ['bridge-check', 'connections'],
  ],
  money: [
    ['ledger', 'rates'],
    ['merchants', 'suspense', 'approvals', 'risk'],
    ['notifications'],
    ['orders'],
    ['order-queries'],
    ['payments'],
    ['refunds', 'chargebacks', 'payouts', 'settlement', 'reviews', 'payment-links'],
    ['reconciliation'],
    ['audit'],
    ['decisions'],
  ],
  people: [['passwords'], ['users'], ['roles'], ['sessions'], ['factors'], ['registration']],
  interfaces: [['callbacks', 'merchant-api', 'checkout'], ['exam'], ['backoffice', 'docs']],
  operator: [['demo'], ['doctor'], ['golive'], ['cli']],
  gateway: [['gateway']],
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The tests of the style guide that quote what they refuse. */
export const selves = ['test/tidy.test.ts', 'test/sql-owners.test.ts']

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (
      /^(\.git|data|test\/screenshots|\.setup\.lock.*)$|^web\/dist(\.next)?$|^sdk\/dist$|^plugins\/.*(dist|\.medusa|\.next)$|(^|\/)node_modules$|\.log$/.test(
        path,
      )
    )
      return []
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

export type File = { readonly path: string; readonly text: string }
export const files: readonly File[] = filesUnder('.').map((path) => {
  return { path, text: readFileSync(join(root, path), 'utf8') }
})
export const code = files.filter(({ path }) => /\.(ts|tsx|mjs|js)$/.test(path) && !selves.includes(path))
export const isTest = ({ path }: File) => path.endsWith('.test.ts') || /^(plugins\/)?test\//.test(path)
export const src = code.filter((file) => /^(src|sandbox)\//.test(file.path) && !isTest(file))

/**
 * Returns the folder of the second level, by whose name rules call a file. A folder that its group does not list gets
 * the name of the group in front.
 */
export function unitOf(path: string): string {
  if (path.startsWith('sandbox/')) return 'sandbox'
  const [, group = '', folder = ''] = path.split('/')
  if (group === 'gateway') return group
  return groups[group]?.flat().includes(folder) ? folder : `${group}/${folder}`
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
