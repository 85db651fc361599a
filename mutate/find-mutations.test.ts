import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { findMutations } from './find-mutations.ts'
import type { Kind } from './mutation.ts'
import { openSources } from './sources.ts'

type Case = readonly [what: string, source: string, found: readonly (readonly [kind: Kind, after: string])[]]

const cases: readonly Case[] = [
  [
    'a condition',
    'if (a.isPaid) b()',
    [
      ['always', 'if (true) b()'],
      ['never', 'if (false) b()'],
      ['no-call', 'if (a.isPaid) {}'],
    ],
  ],
  [
    'a choice',
    'export const c = a.isPaid ? 1 : 2',
    [
      ['always', 'export const c = true ? 1 : 2'],
      ['never', 'export const c = false ? 1 : 2'],
    ],
  ],
  ['a call', 'await d(a)', [['no-call', '{}']]],
  [
    'arguments of one type',
    'export const c = two(a.amount, a.fee)',
    [['swapped', 'export const c = two(a.fee, a.amount)']],
  ],
  ['arguments of two types', 'export const c = one(a.amount, a.isPaid)', []],
  ['a boundary', 'export const c = a.amount < a.fee', [['boundary', 'export const c = a.amount <= a.fee']]],
  [
    'a boundary of zero',
    'export const c = a.amount > 0n',
    [
      ['boundary', 'export const c = a.amount >= 0n'],
      ['off-by-one', 'export const c = a.amount > 1n'],
    ],
  ],
  [
    'an equality',
    'export const c = a.amount === a.fee',
    [['equality', 'export const c = a.amount !== a.fee']],
  ],
  ['both', 'export const c = a.isPaid && a.isOpen', [['logic', 'export const c = a.isPaid || a.isOpen']]],
  ['a negation', 'export const c = !a.isPaid', [['negation', 'export const c = a.isPaid']]],
  ['a constant', 'export const c = { isOpen: true }', [['boolean', 'export const c = { isOpen: false }']]],
  ['a sum', 'export const c = a.amount + a.fee', [['arithmetic', 'export const c = a.amount - a.fee']]],
  ['joined texts', "export const c = a.name + 'x'", []],
  ['a sign', 'export const c = -a.amount', [['sign', 'export const c = a.amount']]],
  [
    'a division',
    'export const c = a.amount / a.fee',
    [['rounding', 'export const c = (a.amount / a.fee + 1n)']],
  ],
  [
    'a share',
    'export const c = shareHalfUp(a.amount)',
    [['rounding', 'export const c = (shareHalfUp(a.amount) + 1n)']],
  ],
  ['the smaller one', 'export const c = Math.min(1, 2)', [['extreme', 'export const c = Math.max(1, 2)']]],
  ['a filter', 'export const c = [a].filter(one)', [['no-filter', 'export const c = [a]']]],
  ['a quantifier', 'export const c = [a].some(one)', [['some-every', 'export const c = [a].every(one)']]],
  [
    'a statement',
    'export const c = `select from t where a = 1 and b < 2 for update`',
    [
      ['sql-no-clause', 'export const c = `select from t where (a = 1 or true) and b < 2 for update`'],
      ['sql-no-clause', 'export const c = `select from t where a = 1 and (b < 2 or true) for update`'],
      ['sql-boundary', 'export const c = `select from t where a = 1 and b <= 2 for update`'],
      ['sql-no-lock', 'export const c = `select from t where a = 1 and b < 2 `'],
    ],
  ],
  [
    'clauses with parentheses and pairs of bounds',
    'export const c = `select from t where (a or b) and c between 1 and 2`',
    [
      ['sql-no-clause', 'export const c = `select from t where ((a or b) or true) and c between 1 and 2`'],
      ['sql-logic', 'export const c = `select from t where (a and b) and c between 1 and 2`'],
      ['sql-no-clause', 'export const c = `select from t where (a or b) and (c between 1 and 2 or true)`'],
    ],
  ],
  [
    'an advisory lock',
    'export const c = `select pg_advisory_xact_lock(hashtext(x))`',
    [['sql-no-lock', 'export const c = `select abs(hashtext(x))`']],
  ],
  [
    'a lock that skips',
    'export const c = `select x from t limit 1 for update of t skip locked`',
    [
      ['sql-no-lock', 'export const c = `select x from t limit 1 `'],
      ['sql-no-lock', 'export const c = `select x from t limit 1 for update of t `'],
    ],
  ],
  [
    'what is null, an extreme and an outer join',
    'export const c = `select least(a, b) from t left join u using (x) where a is null`',
    [
      [
        'sql-extreme',
        'export const c = `select greatest(a, b) from t left join u using (x) where a is null`',
      ],
      ['sql-join', 'export const c = `select least(a, b) from t  join u using (x) where a is null`'],
      [
        'sql-no-clause',
        'export const c = `select least(a, b) from t left join u using (x) where (a is null or true)`',
      ],
      [
        'sql-negation',
        'export const c = `select least(a, b) from t left join u using (x) where a is not null`',
      ],
    ],
  ],
  ['a text', "export const c = 'select one of both, and not more than < 3'", []],
  ['a comment', '// if (a > 0) b()', []],
  ['a type', 'export type C = A extends true ? 1 : 2', []],
  ['a line of the log', 'log.info(!a.isPaid)', []],
  ['an assertion', "assert(a.amount > 0n, 'above zero')", []],
]

const declared = `
  type A = { amount: bigint; fee: bigint; isPaid: boolean; isOpen: boolean; name: string }
  declare const a: A
  declare function b(): void
  declare function d(a: A): Promise<void>
  declare function one(...all: unknown[]): boolean
  declare function two(a: bigint, b: bigint): bigint
  declare function shareHalfUp(a: bigint): bigint
  declare function assert(is: boolean, why: string): void
  declare const log: { info(what: unknown): void }
`
const fileOf = (at: number) => `case-${at}.ts`
const sources = openSources(
  '/project/',
  createVirtualFileSystem({
    '/project/tsconfig.json': JSON.stringify({ compilerOptions: { target: 'esnext', strict: true } }),
    '/project/declared.d.ts': declared,
    ...Object.fromEntries(
      cases.map(([, source], at) => [`/project/${fileOf(at)}`, `${source}\nexport {}\n`]),
    ),
  }),
)
after(() => sources.close())

for (const [at, [what, source, found]] of cases.entries()) {
  test(`${what} is changed as planned`, () => {
    const mutations = findMutations(sources, fileOf(at))
    assert.deepEqual(
      mutations.map(({ kind, after }) => [kind, after]),
      found.map(([kind, after]) => [kind, after.replace(/ +$/, '')]),
    )
    for (const { before } of mutations) assert.equal(before, source)
  })
}
