// Compiles the schemas of a route when the route is first called. Compiling the schemas of all routes would delay every
// start by a second, and most processes serve only a few of the routes.
import buildValidators from '@fastify/ajv-compiler'
import buildSerializers from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'

export function compileLazily(scope: FastifyInstance): void {
  // The compilers and their options are those of Fastify itself.
  const compileValidator = buildValidators()({}, { customOptions: {} })
  const compileSerializer = buildSerializers()({}, {})
  const lazyValidator: FastifySchemaCompiler<unknown> = (route) => {
    const compiled = once(() => compileValidator(route as never))
    return (data) => {
      const validate = compiled()
      return validate(data) ? { value: data } : { error: validate.errors as never }
    }
  }
  const lazySerializer: FastifySerializerCompiler<unknown> = (route) => {
    const compiled = once(() => compileSerializer(route as never))
    return (data) => compiled()(data)
  }
  scope.setValidatorCompiler(lazyValidator)
  scope.setSerializerCompiler(lazySerializer)
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
