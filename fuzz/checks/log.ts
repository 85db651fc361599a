// Reads the gateway's output. The log level is `error`, so each line is a fault, except for lines about counterparties
// that contradict themselves: some of them do so here on purpose.

/** Lines about something that an operator must check, and that is no fault of the gateway. */
const expected: readonly RegExp[] = [/"an operator must check an outcome"/]
const chatter = /^(Debugger |For help, see: |ready| {2}|Tollgate|$)/

export type LogWatch = {
  /** Returns one sentence for each new fault. */
  problems(): string[]
}

export function watchLog(output: () => string): LogWatch {
  let read = output().length
  return {
    problems() {
      const all = output()
      const end = all.lastIndexOf('\n') + 1
      const lines = all.slice(read, Math.max(end, read)).split('\n')
      read = Math.max(end, read)
      return lines
        .filter((line) => line !== '' && !isExpected(line))
        .map((line) => `logged: ${shorten(line)}`)
    },
  }
}

function isExpected(line: string): boolean {
  return chatter.test(line) || expected.some((pattern) => pattern.test(line))
}

/** Returns the message, the error and the place of a line. Fields that differ between occurrences are left out. */
function shorten(line: string): string {
  const fields = parse(line)
  const stack = String(fields?.err?.stack ?? '')
  const [first = ''] = stack.split('\n')
  const [, place = ''] = /\(?(?:file:\/\/)?\S*\/(src\/[^)\s]+)/.exec(stack) ?? []
  return fields === undefined
    ? line.slice(0, 300)
    : `${fields.msg ?? line.slice(0, 300)} ${first} ${place}`.trim()
}

type Line = { readonly msg?: string; readonly err?: { readonly stack?: string } }

function parse(line: string): Line | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
