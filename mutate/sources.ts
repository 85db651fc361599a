// Reads source files with the TypeScript compiler: their syntax trees, and the types of expressions.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import type { FileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

export type Sources = {
  /** All files of the project, as paths relative to its root. */
  readonly paths: readonly string[]
  find(path: string): SourceFile | undefined
  typeOf(node: Node): string
  close(): void
}

export const root = fileURLToPath(new URL('..', import.meta.url))

export function openSources(folder = root, fs?: FileSystem): Sources {
  const api = new API({ cwd: folder, ...(fs && { fs }) })
  const config = `${folder}tsconfig.json`
  const snapshot = api.updateSnapshot({ openProjects: [config] })
  const project = snapshot.getProject(config)
  if (project === undefined) throw new Error(`the TypeScript compiler does not open ${config}`)
  const { program, checker } = project
  return {
    paths: program
      .getSourceFileNames()
      .filter((name) => name.startsWith(folder) && !name.includes('/node_modules/'))
      .map((name) => relative(folder, name)),
    find: (path) => program.getSourceFile(folder + path),
    typeOf(node) {
      const type = checker.getTypeAtLocation(node)
      return type === undefined ? '' : checker.typeToString(type)
    },
    close: () => api.close(),
  }
}
