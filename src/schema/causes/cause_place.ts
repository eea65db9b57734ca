import type { Evaluated } from "../evaluated.ts";
import type { SchemaNode } from "../schema_node.ts";
import type { CauseGroup } from "./cause.ts";

/** The result of a schema at a place of the instance. */
export interface PlaceResult {
  /** The causes; undefined where the schema accepts the place. */
  readonly causes: CauseGroup | undefined;
  /** The parts that it marked as evaluated; undefined if nothing asked for them. */
  readonly evaluated: Evaluated | undefined;
  /** The dynamic scope in which it was evaluated. */
  readonly scope: string;
}

/** A place of the instance that several ways may lead to, with the results of the schemas that references lead to. */
export class CausePlace {
  readonly #results = new Map<SchemaNode, PlaceResult[]>();
  #parts: Map<string | number, CausePlace> | undefined;
  #names: Map<string | number, CausePlace> | undefined;

  /** The place of a property's value, or of an item. */
  part(key: string | number): CausePlace {
    return placeIn(this.#parts ??= new Map(), key);
  }

  /** The place of a property's name. */
  name(key: string | number): CausePlace {
    return placeIn(this.#names ??= new Map(), key);
  }

  /** The results of a schema here. */
  resultsOf(node: SchemaNode): PlaceResult[] {
    let results = this.#results.get(node);
    if (results === undefined) this.#results.set(node, results = []);
    return results;
  }
}

function placeIn(places: Map<string | number, CausePlace>, key: string | number): CausePlace {
  let place = places.get(key);
  if (place === undefined) places.set(key, place = new CausePlace());
  return place;
}
