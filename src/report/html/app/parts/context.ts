import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Model, Operation } from "../model/model.ts";

export const ModelContext: Context<Model | null> = createContext<Model | null>(null);

/** The operation that this part of the page shows. Null in views of all operations. */
export const OperationContext: Context<Operation | null> = createContext<Operation | null>(null);

export function useModel(): Model {
  const model = useContext(ModelContext);
  if (model === null) throw new Error("There is no report around this component.");
  return model;
}

export function useOperation(): Operation {
  const operation = useContext(OperationContext);
  if (operation === null) throw new Error("There is no operation around this component.");
  return operation;
}
