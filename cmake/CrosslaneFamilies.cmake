# Kernels that come in families: one source, compiled for every method and every form of the state that tiles share. The
# library's own are declared with these functions, and so are those with functors of a program's own:
#
#   crosslane_kernels(my-kernels FUNCTION my::kernels)
#   crosslane_scan_kernels(my-kernels NAME scan.affine FILE affine.hlsli FUNCTOR my::Affine TYPE float2 BYTES 8)
#   crosslane_compaction_kernels(my-kernels NAME compact.visible FILE visible.hlsli FUNCTOR my::Visible BYTES 16)
#
# In C++: KernelFamily{my::kernels(), "scan.affine"}.

# Where the kernels' sources are; an installed package says so itself.
if(NOT DEFINED crosslane_KERNELS_DIR)
  set(crosslane_KERNELS_DIR ${CMAKE_CURRENT_LIST_DIR}/../kernels)
endif()

# Declares <NAME>.<method><SUFFIX> for each of METHODS, and the same with ".packed" behind it if PACKED.
function(crosslane_kernel_family target)
  cmake_parse_arguments(PARSE_ARGV 1 FAMILY "PACKED" "SOURCE;NAME;SUFFIX" "METHODS;DEFINES;INCLUDE_DIRECTORIES")
  foreach(method IN LISTS FAMILY_METHODS)
    string(TOUPPER METHOD_${method} method_define)
    set(name ${FAMILY_NAME}.${method}${FAMILY_SUFFIX})
    crosslane_kernel(${target} SOURCE ${FAMILY_SOURCE} NAME ${name}
      DEFINES ${FAMILY_DEFINES} ${method_define} STATE_SEPARATE INCLUDE_DIRECTORIES ${FAMILY_INCLUDE_DIRECTORIES})
    if(FAMILY_PACKED)
      crosslane_kernel(${target} SOURCE ${FAMILY_SOURCE} NAME ${name}.packed
        DEFINES ${FAMILY_DEFINES} ${method_define} STATE_PACKED INCLUDE_DIRECTORIES ${FAMILY_INCLUDE_DIRECTORIES}
        D3D12_PROFILE cs_6_6)  # 64-bit atomics
    endif()
  endforeach()
endfunction()

# Declares a compaction's family with elements as outputs, and one with indices, as OUTPUTS says.
function(crosslane_compaction_family target)
  cmake_parse_arguments(PARSE_ARGV 1 COMPACTION "" "NAME;BYTES" "OUTPUTS;DEFINES;INCLUDE_DIRECTORIES")
  foreach(output IN LISTS COMPACTION_OUTPUTS)
    set(suffix "")
    set(defines STORAGE_BYTES=${COMPACTION_BYTES} ${COMPACTION_DEFINES})
    if(output STREQUAL indices)
      set(suffix .indices)
      list(APPEND defines OUTPUT_INDICES)
    endif()
    crosslane_kernel_family(${target} SOURCE ${crosslane_KERNELS_DIR}/compact/compact.hlsl NAME ${COMPACTION_NAME}
      SUFFIX "${suffix}" METHODS groupshared shuffle wave_intrinsics PACKED DEFINES ${defines}
      INCLUDE_DIRECTORIES ${COMPACTION_INCLUDE_DIRECTORIES})
  endforeach()
endfunction()

# Refuses a call that lacks something.
function(crosslane_need call)
  foreach(argument IN LISTS ARGN)
    if(NOT FUNCTOR_${argument})
      message(FATAL_ERROR "${call} needs ${argument}")
    endif()
  endforeach()
  if(NOT FUNCTOR_BYTES MATCHES "^(4|8|16)$" OR FUNCTOR_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: elements have 4, 8 or 16 BYTES, not '${FUNCTOR_BYTES}'; '${FUNCTOR_UNPARSED_ARGUMENTS}' is not known")
  endif()
endfunction()

# Scans by an operator of the program's own. FILE, found in the current folder, defines TYPE, unless HLSL does, and
#   struct FUNCTOR {
#     static TYPE identity();                  // combine(identity(), v) == combine(v, identity()) == v
#     static TYPE combine(TYPE a, TYPE b);     // associative; a comes before b
#   };
# Types that lanes exchange are those of crosslane/shuffle.hlsli; structs beside them say CROSSLANE_MEMBERS.
function(crosslane_scan_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 FUNCTOR "" "NAME;FILE;FUNCTOR;TYPE;BYTES" "")
  crosslane_need("crosslane_scan_kernels(${target})" NAME FILE FUNCTOR TYPE)
  crosslane_kernel_family(${target} SOURCE ${crosslane_KERNELS_DIR}/scan/scan.hlsl NAME ${FUNCTOR_NAME}
    METHODS groupshared shuffle INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}
    DEFINES "FUNCTOR_FILE=\"${FUNCTOR_FILE}\"" STORAGE=${FUNCTOR_TYPE} STORAGE_BYTES=${FUNCTOR_BYTES} VALUE=${FUNCTOR_TYPE}
            OP=${FUNCTOR_FUNCTOR} CODEC_INTEGER)
endfunction()

# Compactions that keep what a function of the program's own keeps; kernels/compact/selection.hlsli says what FILE defines.
function(crosslane_compaction_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 FUNCTOR "" "NAME;FILE;FUNCTOR;BYTES" "")
  crosslane_need("crosslane_compaction_kernels(${target})" NAME FILE FUNCTOR)
  crosslane_compaction_family(${target} NAME ${FUNCTOR_NAME} BYTES ${FUNCTOR_BYTES} OUTPUTS elements indices
    INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}
    DEFINES "FUNCTOR_FILE=\"${FUNCTOR_FILE}\"" FUNCTOR=${FUNCTOR_FUNCTOR} SELECT_FUNCTOR)
endfunction()
