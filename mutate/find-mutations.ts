// Finds every mutation of a source file. Comments, imports, types, texts other than SQL, log lines and assertions are
// not mutated.
import {
  type BinaryExpression,
  type CallExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import {
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIfStatement,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isTypeNode,
} from 'typescript/unstable/ast/is'
import { type Edit, type Kind, type Mutation, mutationsOf } from './mutation.ts'
import type { Sources } from './sources.ts'
import { isSql, sqlEdits } from './sql-edits.ts'

type TypeOf = Sources['typeOf']

export function findMutations(sources: Sources, path: string): Mutation[] {
  const file = sources.find(path)
  if (file === undefined) throw new Error(`${path} is not part of the project`)
  const edits: Edit[] = []
  const isFileOfStatements = /sql\.ts$|\/(order-queries|audit\/checks)\//.test(path)
  const walk = (node: Node): undefined => {
    if (isLeftAlone(node, file)) return undefined
    edits.push(...codeEdits(node, file, sources.typeOf))
    if (literals.has(node.kind)) {
      const text = textOf(node, file)
      const isPart = isFileOfStatements && node.kind !== SyntaxKind.StringLiteral
      if (isSql(text, isPart)) edits.push(...sqlEdits(text, node.getStart(file)))
    }
    node.forEachChild(walk)
    return undefined
  }
  walk(file)
  return mutationsOf(path, file.text, edits)
}

const literals = new Set([
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateExpression,
  SyntaxKind.StringLiteral,
])
const declarations = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ExportDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.InterfaceDeclaration,
])
const spoken = /^(assert|say)$|\blog\.(debug|info|warn|error)$/

function isLeftAlone(node: Node, file: SourceFile): boolean {
  if (declarations.has(node.kind) || isTypeNode(node)) return true
  return isCallExpression(node) && spoken.test(textOf(node.expression, file))
}

function textOf(node: Node, file: SourceFile): string {
  return file.text.slice(node.getStart(file), node.end)
}

function codeEdits(node: Node, file: SourceFile, typeOf: TypeOf): Edit[] {
  const edit = (kind: Kind, of: Node, replace: string): Edit => {
    return { kind, start: of.getStart(file), end: of.end, replace }
  }
  const text = (of: Node) => textOf(of, file)
  const bothWays = (condition: Node) => [edit('always', condition, 'true'), edit('never', condition, 'false')]
  if (isIfStatement(node)) return bothWays(node.expression)
  if (isConditionalExpression(node)) return bothWays(node.condition)
  if (node.kind === SyntaxKind.TrueKeyword) return [edit('boolean', node, 'false')]
  if (node.kind === SyntaxKind.FalseKeyword) return [edit('boolean', node, 'true')]
  if (isExpressionStatement(node)) {
    const { expression } = node
    const called = isAwaitExpression(expression) ? expression.expression : expression
    return isCallExpression(called) && !isLeftAlone(called, file) ? [edit('no-call', node, '{}')] : []
  }
  if (isPrefixUnaryExpression(node)) {
    if (node.operator === SyntaxKind.ExclamationToken) return [edit('negation', node, text(node.operand))]
    const isSign = node.operator === SyntaxKind.MinusToken && !/^\d/.test(text(node.operand))
    return isSign ? [edit('sign', node, text(node.operand))] : []
  }
  if (isBinaryExpression(node)) return binaryEdits(node, file, typeOf)
  if (isCallExpression(node)) return [...functionEdits(node, file), ...swaps(node, file, typeOf)]
  return []
}

function functionEdits(node: CallExpression, file: SourceFile): Edit[] {
  const { expression } = node
  const [start, end] = [node.getStart(file), node.end]
  const [whole, callee] = [textOf(node, file), textOf(expression, file)]
  if (callee === 'shareHalfUp') return [{ kind: 'rounding', start, end, replace: `(${whole} + 1n)` }]
  if (callee === 'convertDown' || callee === 'convertUp') {
    const oneMore = '((one) => ({ ...one, amount: one.amount + 1n }))'
    return [{ kind: 'rounding', start, end, replace: `${oneMore}(${whole})` }]
  }
  const [kind, replace] = otherFunction[callee] ?? []
  if (kind !== undefined && replace !== undefined) return [{ kind, start, end: expression.end, replace }]
  if (!isPropertyAccessExpression(expression)) return []
  const { name } = expression
  const method = textOf(name, file)
  if (method === 'filter')
    return [{ kind: 'no-filter', start, end, replace: textOf(expression.expression, file) }]
  const other = method === 'some' ? 'every' : method === 'every' ? 'some' : undefined
  return other === undefined
    ? []
    : [{ kind: 'some-every', start: name.getStart(file), end: name.end, replace: other }]
}

/** Functions whose result does not depend on the order of their arguments. */
const symmetric = /^(Math\.(min|max)|least|most)$/

/** Swaps neighbouring arguments of the same type. */
function swaps(node: CallExpression, file: SourceFile, typeOf: TypeOf): Edit[] {
  if (symmetric.test(textOf(node.expression, file))) return []
  const given = node.arguments
  return given.flatMap((one, at) => {
    const next = given[at + 1]
    if (next === undefined || !maySwap(one) || !maySwap(next)) return []
    const type = typeOf(one)
    if (type === '' || type === 'any' || type !== typeOf(next)) return []
    const between = file.text.slice(one.end, next.getStart(file))
    const replace = textOf(next, file) + between + textOf(one, file)
    return [{ kind: 'swapped', start: one.getStart(file), end: next.end, replace }]
  })
}

function maySwap({ kind }: Node): boolean {
  return kind !== SyntaxKind.ArrowFunction && kind !== SyntaxKind.FunctionExpression
}

const otherFunction: Readonly<Record<string, readonly [Kind, string]>> = {
  'Math.floor': ['rounding', 'Math.ceil'],
  'Math.ceil': ['rounding', 'Math.floor'],
  'Math.round': ['rounding', 'Math.floor'],
  'Math.trunc': ['rounding', 'Math.ceil'],
  'Math.min': ['extreme', 'Math.max'],
  'Math.max': ['extreme', 'Math.min'],
}

const otherOperator: Readonly<Record<string, readonly [Kind, string]>> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
}

function binaryEdits(node: BinaryExpression, file: SourceFile, typeOf: TypeOf): Edit[] {
  const { left, operatorToken, right } = node
  const operator = textOf(operatorToken, file)
  const type = typeOf(node)
  const isNumber = /^(number|bigint|-?\d+n?)$/.test(type)
  const edit = (kind: Kind, of: Node, replace: string): Edit => {
    return { kind, start: of.getStart(file), end: of.end, replace }
  }
  const edits: Edit[] = []
  const [kind, other] = otherOperator[operator] ?? []
  // "+" also joins strings, so arithmetic is mutated only if the result is a number.
  if (kind !== undefined && other !== undefined && (kind !== 'arithmetic' || isNumber))
    edits.push(edit(kind, operatorToken, other))
  if (type === 'bigint' && operator === '/')
    edits.push(edit('rounding', node, `(${textOf(left, file)} / ${textOf(right, file)} + 1n)`))
  const number = /^(\d{1,3})(n?)$/.exec(textOf(right, file))
  if (number !== null && /^([-+]|[<>]=?|[!=]==)$/.test(operator))
    edits.push(edit('off-by-one', right, `${Number(number[1]) + 1}${number[2]}`))
  return edits
}
